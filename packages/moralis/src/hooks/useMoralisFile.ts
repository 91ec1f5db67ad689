import { useCallback } from 'react'
import type { FileData, MoralisFile } from '../parse/MoralisFile.ts'
import type { MoralisCallbacks } from '../runCall.ts'
import { useAct } from './useAct.ts'
import { useMoralis } from './useMoralis.ts'

export type MoralisFileSaveOptions = MoralisCallbacks<MoralisFile> & {
  type?: string
  metadata?: Record<string, string>
  tags?: Record<string, string>
  saveIPFS?: boolean
}

/**
 * Uploads files.
 *
 * @example
 * const { saveFile, moralisFile, isUploading } = useMoralisFile()
 * await saveFile('photo.jpg', input.files[0])
 */
export function useMoralisFile() {
  const { Moralis } = useMoralis()
  const { isRunning, data, error, run } = useAct<MoralisFile>((before) => before)
  const saveFile = useCallback(
    (
      name: string,
      file: FileData,
      { type, metadata, tags, saveIPFS = false, ...callbacks }: MoralisFileSaveOptions = {},
    ): Promise<MoralisFile | undefined> =>
      run(callbacks, async () => {
        const made = new Moralis.File(name, file, type, metadata, tags)
        return saveIPFS ? made.saveIPFS() : made.save()
      }),
    [Moralis, run],
  )
  return { isUploading: isRunning, moralisFile: data, error, saveFile }
}
