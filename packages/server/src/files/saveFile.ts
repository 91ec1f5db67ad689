import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { fileUrl } from '../context/fileUrl.ts'
import { checkFileName } from './checkFileName.ts'
import { checkUploader } from './checkUploader.ts'
import { chooseType } from './content/chooseType.ts'
import { judgeContent, judgedLength } from './content/judgeContent.ts'
import { peekContent } from './content/peekContent.ts'
import { pinFile } from './pinFile.ts'
import type { Extras } from './readExtras.ts'
import { storeContent } from './storeContent.ts'

export type Upload = {
  name: string | undefined
  /** What the sender says it is. */
  type?: string | undefined
  content: AsyncIterable<Buffer>
  maxSize: number
  /** Asked once the content is in: in a form it may stand behind the file. */
  extras: () => Extras
}

export type Saved = { name: string; url: string; ipfs?: string; hash?: string }

/** Keeps a file for a client, as it comes in. */
export async function saveFile(context: Context, caller: Caller, upload: Upload): Promise<Saved> {
  const { config } = context
  await checkUploader(context, caller)
  const claimed = { name: checkFileName(upload.name), type: upload.type }
  const { beginning, content } = await peekContent(upload.content, judgedLength)
  if (beginning.length === 0) throw new CountersignError('FileSaveError', 'Invalid file upload.')
  const { name, type } = chooseType(config.fileUpload, caller.isMaster, claimed, judgeContent(beginning))
  let hash: string | undefined
  const file = await storeContent(
    context,
    { name, type, owner: caller.session?.userId, maxSize: upload.maxSize, content },
    async (stored) => {
      const { metadata, tags, ipfs } = upload.extras()
      if (ipfs) hash = await pinFile(context, stored)
      return { metadata, tags, ipfs: hash }
    },
  )
  const saved: Saved = { name: file.name, url: fileUrl(context, file.name) }
  return hash === undefined ? saved : { ...saved, ipfs: `${config.ipfs?.gateway.replace(/\/*$/, '/')}${hash}`, hash }
}
