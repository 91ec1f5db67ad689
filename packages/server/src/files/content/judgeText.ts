/** The type of a text; `undefined` for what is none. Whatever a browser could take for markup counts as markup. */
export function judgeText(beginning: Buffer): string | undefined {
  const text = decode(beginning)
  if (text === undefined) return undefined
  const start = text.trimStart()
  if (/^<\?xml/i.test(start)) return /<svg[\s>]/i.test(start) ? 'image/svg+xml' : 'application/xml'
  if (/^<([!?/a-z]|$)/i.test(start)) return /<svg[\s>]/i.test(start) ? 'image/svg+xml' : 'text/html'
  return /^[[{]/.test(start) ? 'application/json' : 'text/plain'
}

function decode(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le').slice(1)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return swapped(bytes).slice(1)
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  // The last sign may be cut in half; any other that is no UTF-8, or a control sign, makes it no text.
  const whole = text.replace(/\ufffd{1,3}$/, '')
  return bytes.some(isControl) || whole.includes('\ufffd') ? undefined : whole
}

function swapped(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}

/** All but the signs of tabs, lines, pages and escapes, as the sniffing of browsers has it. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b
}
