'use client'

import type { MergeAccountsInput, UndoAccountMergeInput } from '../../core/account/inputs.ts'
import {
  mergeAccounts,
  type PreviewAccountMergeInput,
  previewAccountMerge,
  undoAccountMerge,
} from '../../core/account/mergeAccounts.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run, RunOptional } from '../../core/readings/createMutation.ts'
import type { MergePreview, UndoDeadline } from '../../core/values/records.ts'
import { useAction } from '../client/useMutation.ts'

export type UsePreviewAccountMerge = ActionState<MergePreview, ActionError<'previewAccountMerge'>> & {
  readonly previewAccountMerge: RunOptional<PreviewAccountMergeInput, MergePreview, ActionError<'previewAccountMerge'>>
  readonly reset: () => void
}

/**
 * Proves another account and returns what a merge would move into the user's.
 *
 * @example
 * const { previewAccountMerge, status } = usePreviewAccountMerge()
 * <button disabled={status === 'pending'} onClick={() => previewAccountMerge({ connector: 'injected' })}>Go</button>
 */
export function usePreviewAccountMerge(): UsePreviewAccountMerge {
  return useAction('previewAccountMerge', previewAccountMerge)
}

export type UseMergeAccounts = ActionState<UndoDeadline, ActionError<'mergeAccounts'>> & {
  readonly mergeAccounts: Run<MergeAccountsInput, UndoDeadline, ActionError<'mergeAccounts'>>
  readonly reset: () => void
}

/**
 * Carries out a merge that was previewed.
 *
 * @example
 * const { mergeAccounts, status } = useMergeAccounts()
 * <button disabled={status === 'pending'} onClick={() => mergeAccounts({ objectId: preview.objectId })}>Go</button>
 */
export function useMergeAccounts(): UseMergeAccounts {
  return useAction('mergeAccounts', mergeAccounts)
}

export type UseUndoAccountMerge = ActionState<void, ActionError<'undoAccountMerge'>> & {
  readonly undoAccountMerge: Run<UndoAccountMergeInput, void, ActionError<'undoAccountMerge'>>
  readonly reset: () => void
}

/**
 * Takes a merge back.
 *
 * @example
 * const { undoAccountMerge, status } = useUndoAccountMerge()
 * <button disabled={status === 'pending'} onClick={() => undoAccountMerge({ objectId: preview.objectId })}>Go</button>
 */
export function useUndoAccountMerge(): UseUndoAccountMerge {
  return useAction('undoAccountMerge', undoAccountMerge)
}
