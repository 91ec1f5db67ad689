export type DataUri = { type: string; bytes: Buffer }

/** What stands in a `data:` URI; undefined where it is none. Contracts often leave the text as it is, unescaped. */
export function readDataUri(uri: string): DataUri | undefined {
  const [, head, body] = /^data:([^,]{0,200}),([\s\S]*)$/i.exec(uri) ?? []
  if (head === undefined || body === undefined) return undefined
  const [type = '', ...parameters] = head.split(';').map((part) => part.trim().toLowerCase())
  const bytes = parameters.includes('base64') ? Buffer.from(decode(body), 'base64') : Buffer.from(decode(body))
  return { type: type || 'text/plain', bytes }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
