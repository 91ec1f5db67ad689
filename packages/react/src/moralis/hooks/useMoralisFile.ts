import { useCallback, useState } from 'react'
import { toMoralisError } from '../errors/toMoralisError.ts'
import type { FileData, MoralisFile } from '../parse/MoralisFile.ts'
import { type MoralisCallbacks, runCall } from '../runCall.ts'
import { useMoralis } from './useMoralis.ts'

export type MoralisFileSaveOptions = MoralisCallbacks<MoralisFile> & {
  type?: string
  metadata?: Record<string, string>
  tags?: Record<string, string>
  saveIPFS?: boolean
}

type State = { isUploading: boolean; moralisFile: MoralisFile | null; error: Error | null }

/**
 * Uploads files.
 *
 * @example
 * const { saveFile, moralisFile, isUploading } = useMoralisFile()
 * await saveFile('photo.jpg', input.files[0])
 */
export function useMoralisFile() {
  const { Moralis } = useMoralis()
  const [state, setState] = useState<State>({ isUploading: false, moralisFile: null, error: null })
  const saveFile = useCallback(
    (
      name: string,
      file: FileData,
      { type, metadata, tags, saveIPFS = false, ...callbacks }: MoralisFileSaveOptions = {},
    ): Promise<MoralisFile | undefined> =>
      runCall(callbacks, async () => {
        setState((before) => ({ ...before, isUploading: true, error: null }))
        try {
          const made = new Moralis.File(name, file, type, metadata, tags)
          const moralisFile = await (saveIPFS ? made.saveIPFS() : made.save())
          setState({ isUploading: false, moralisFile, error: null })
          return moralisFile
        } catch (cause) {
          const error = toMoralisError(cause)
          setState((before) => ({ ...before, isUploading: false, error }))
          throw error
        }
      }),
    [Moralis],
  )
  return { ...state, saveFile }
}
