import type { Readable } from 'node:stream'

/** Content of a stream. Fails if it has more bytes than `most`: a small compressed one may inflate without end. */
export async function readLimited(
  stream: AsyncIterable<Uint8Array> | null | undefined,
  most: number,
  tooLarge: () => Error = () => new Error(`The response has more than ${most} bytes.`),
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream ?? []) {
    size += part.byteLength
    // Leaving the loop cancels the stream.
    if (size > most) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Body of a request as it comes. Giving it up must not close the connection under the response. */
export const readRequest = (body: unknown) => (body as Readable | undefined)?.iterator({ destroyOnReturn: false })
