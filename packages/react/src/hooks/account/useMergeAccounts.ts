'use client'
import { mergeAccounts, previewAccountMerge, undoAccountMerge } from '../../core/account/mergeAccounts.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'

export type UsePreviewAccountMerge = ActionHook<'previewAccountMerge', typeof previewAccountMerge>

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

export type UseMergeAccounts = ActionHook<'mergeAccounts', typeof mergeAccounts>

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

export type UseUndoAccountMerge = ActionHook<'undoAccountMerge', typeof undoAccountMerge>

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
