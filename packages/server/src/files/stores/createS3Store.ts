import { callS3, type S3Settings } from '../s3/callS3.ts'
import { cutContent } from './cutContent.ts'
import type { FileStore } from './FileStore.ts'

/** The storage takes 10,000 parts of 5 MiB at least: enough for 80 GiB, with one part of it in memory. */
const partSize = 8 * 1024 * 1024

type Part = { number: number; etag: string }

/** Files in S3 or a storage that speaks like it. What fits into one part is one request; more is a multipart upload. */
export function createS3Store(settings: S3Settings): FileStore {
  return {
    async write(name, content) {
      const pieces = cutContent(content, partSize)
      const first = await pieces.next()
      const beginning = first.done ? Buffer.alloc(0) : first.value
      if (beginning.length < partSize) {
        await drain(await callS3(settings, { method: 'PUT', name, body: beginning }))
        return
      }
      const uploadId = await begin(name)
      try {
        const parts = [await sendPart(name, uploadId, 1, beginning)]
        for await (const piece of pieces) parts.push(await sendPart(name, uploadId, parts.length + 1, piece))
        await finish(name, uploadId, parts)
      } catch (error) {
        // Parts that nobody puts together are paid for until they are taken away.
        await callS3(settings, { method: 'DELETE', name, query: { uploadId }, allow: [404] }).then(drain, () => {})
        throw error
      }
    },
    async *read(name, { start, end }) {
      if (end < start) return
      const response = await callS3(settings, { method: 'GET', name, headers: { range: `bytes=${start}-${end}` } })
      if (!response.body) return
      yield* response.body
    },
    async remove(name) {
      await drain(await callS3(settings, { method: 'DELETE', name, allow: [404] }))
    },
  }

  async function begin(name: string): Promise<string> {
    const answer = await (await callS3(settings, { method: 'POST', name, query: { uploads: '' } })).text()
    const [, uploadId] = /<UploadId>([^<]+)<\/UploadId>/.exec(answer) ?? []
    if (!uploadId) throw new Error('The storage of files gave no id for the upload.')
    return uploadId
  }

  async function sendPart(name: string, uploadId: string, number: number, body: Buffer): Promise<Part> {
    const query = { partNumber: String(number), uploadId }
    const response = await drain(await callS3(settings, { method: 'PUT', name, query, body }))
    const etag = response.headers.get('etag')
    if (!etag) throw new Error('The storage of files gave no mark for a part.')
    return { number, etag }
  }

  async function finish(name: string, uploadId: string, parts: Part[]): Promise<void> {
    const list = parts.map(
      ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
    const response = await callS3(settings, { method: 'POST', name, query: { uploadId }, body })
    // This one call answers 200 before it knows how it ends.
    const answer = await response.text()
    if (answer.includes('<Error>')) throw new Error('The storage of files could not put the parts together.')
  }
}

/** A connection is used again only once its answer was read. */
async function drain(response: Response): Promise<Response> {
  await response.arrayBuffer()
  return response
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
