import { useMemo, useSyncExternalStore } from 'react'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { StoredFile } from '../core/documents/values/FieldTypes.ts'
import { createUpload } from '../core/files/createUpload.ts'
import type { UploadFileInput } from '../core/files/UploadFileInput.ts'
import { useClient } from './useClient.ts'

export type UseUpload = MutationState<StoredFile> & {
  readonly upload: (input: UploadFileInput, callbacks?: Callbacks<StoredFile>) => Promise<StoredFile | undefined>
  /** How much of the latest upload has been sent, from 0 to 1. */
  readonly progress: number
  readonly reset: () => void
}

/**
 * Uploads files, and tells how far the latest upload is.
 *
 * @example
 * const { upload, progress, status } = useUpload()
 * <input type="file" onChange={({ target }) => target.files?.[0] && upload({ file: target.files[0] })} />
 * {status === 'pending' && <progress value={progress} />}
 */
export function useUpload(): UseUpload {
  const client = useClient()
  const { state, run, reset, progress } = useMemo(() => createUpload(client), [client])
  return {
    ...useSyncExternalStore(state.subscribe, state.get, state.get),
    progress: useSyncExternalStore(progress.subscribe, progress.get, progress.get),
    upload: run,
    reset,
  }
}
