import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { addToIpfs } from './addToIpfs.ts'
import type { StoredFile } from './StoredFile.ts'
import { getStore } from './stores/getStore.ts'

/** Adds a file to IPFS and pins it there, by the node that the operator configured; answers its content id. */
export async function pinFile(context: Context, file: StoredFile): Promise<string> {
  const { config, log } = context
  const { ipfs } = config
  if (!ipfs) {
    throw new CountersignError('FileSaveError', 'This server is not set up to save to IPFS.', {
      details: 'The operator names a node by the setting ipfs.url.',
    })
  }
  const content = getStore(context, file.store).read(file.name, { start: 0, end: file.size - 1 })
  try {
    return await addToIpfs(ipfs, [{ name: file.name, content }])
  } catch (cause) {
    log.warn({ err: cause, file: file.name }, 'a file could not be pinned to IPFS')
    throw new CountersignError('FileSaveError', 'The file could not be saved to IPFS. Try again later.', { cause })
  }
}
