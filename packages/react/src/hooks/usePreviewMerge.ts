import { previewMerge } from '../core/actions/previewMerge.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { MergePreview } from '../core/MergePreview.ts'
import type { SignerInput } from '../core/wallet/Signer.ts'
import { useMutation } from './useMutation.ts'

export type UsePreviewMerge = MutationState<MergePreview> & {
  readonly previewMerge: (input?: SignerInput, callbacks?: Callbacks<MergePreview>) => Promise<MergePreview | undefined>
  readonly reset: () => void
}

/**
 * Proves another account and tells what a merge would move into the user's.
 *
 * @example
 * const { previewMerge, status } = usePreviewMerge()
 * <button disabled={status === 'pending'} onClick={() => previewMerge({ connector: 'injected' })}>Go</button>
 */
export function usePreviewMerge(): UsePreviewMerge {
  const { state, run, reset } = useMutation(previewMerge)
  return { ...state, previewMerge: run, reset }
}
