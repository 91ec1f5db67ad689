import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type IpfsNode = {
  url: string
  /** Added content by id. */
  pinned: Map<string, Buffer>
  requests: { path: string; authorization: string | undefined }[]
  /** Response to the next request, instead of an id. */
  answer?: { status: number; text: string } | undefined
  stop(): Promise<void>
}

/** A node that speaks as Kubo does where files are added. */
export async function startIpfsNode(): Promise<IpfsNode> {
  const pinned: IpfsNode['pinned'] = new Map()
  const requests: IpfsNode['requests'] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization })
    const { answer } = node
    node.answer = undefined
    if (answer) {
      response.writeHead(answer.status)
      return response.end(answer.text)
    }
    const form = await new Response(new Uint8Array(Buffer.concat(chunks)), {
      headers: { 'Content-Type': request.headers['content-type'] ?? '' },
    }).formData()
    const lines: object[] = []
    const add = (name: string, content: Buffer) => {
      const hash = `bafy${createHash('sha256').update(content).digest('hex')}`
      pinned.set(hash, content)
      lines.push({ Name: name, Hash: hash, Size: String(content.length) })
    }
    for (const file of form.getAll('file') as File[])
      add(decodeURIComponent(file.name), Buffer.from(await file.arrayBuffer()))
    if (request.url?.includes('wrap-with-directory=true')) add('', Buffer.from(JSON.stringify(lines)))
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const node: IpfsNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pinned,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return node
}
