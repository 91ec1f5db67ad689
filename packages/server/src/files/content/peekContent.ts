/** The beginning of a content, and the whole of it, to be read once. */
export async function peekContent(
  content: AsyncIterable<Buffer>,
  length: number,
): Promise<{ beginning: Buffer; content: AsyncIterable<Buffer> }> {
  const iterator = content[Symbol.asyncIterator]()
  const held: Buffer[] = []
  let heldLength = 0
  while (heldLength < length) {
    const { done, value } = await iterator.next()
    if (done) break
    held.push(value)
    heldLength += value.length
  }
  return { beginning: Buffer.concat(held).subarray(0, length), content: rest() }

  async function* rest(): AsyncGenerator<Buffer> {
    yield* held.splice(0)
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      yield value
    }
  }
}
