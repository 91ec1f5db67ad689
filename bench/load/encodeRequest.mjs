/** @param {import('../types.d.ts').Request} request */
export function encodeRequest({ method, path, headers = {}, body }) {
  let head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  if (body === undefined) return `${head}\r\n`
  const json = JSON.stringify(body)
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
}
