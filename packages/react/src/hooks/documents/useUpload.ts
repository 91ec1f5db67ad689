'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type { UploadFileInput } from '../../core/documents/UploadFileInput.ts'
import { createUpload } from '../../core/documents/uploadFile.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run, RunAsync } from '../../core/readings/createMutation.ts'
import type { StoredFile } from '../../core/values/Document.ts'
import { useClient } from '../client/useClient.ts'

export type UseUpload = ActionState<StoredFile, ActionError<'uploadFile'>> & {
  readonly upload: Run<UploadFileInput, StoredFile, ActionError<'uploadFile'>>
  readonly uploadAsync: RunAsync<UploadFileInput, StoredFile>
  /** How much of the latest upload has been sent, from 0 to 1. */
  readonly progress: number
  readonly reset: () => void
}

/**
 * Uploads files, and reports the progress of the latest upload.
 *
 * @example
 * const { upload, progress, status } = useUpload()
 * <input type="file" onChange={({ target }) => target.files?.[0] && upload({ file: target.files[0] })} />
 * {status === 'pending' && <progress value={progress} />}
 */
export function useUpload(): UseUpload {
  const client = useClient()
  const { state, run, runAsync, reset, progress } = useMemo(() => createUpload(client), [client])
  const joined = {
    ...useSyncExternalStore(state.subscribe, state.get, state.get),
    progress: useSyncExternalStore(progress.subscribe, progress.get, progress.get),
    upload: run,
    uploadAsync: runAsync,
    reset,
  }
  return joined as UseUpload
}
