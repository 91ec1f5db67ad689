import { judgeText } from './judgeText.ts'

/** How much of a file tells what it is. */
export const judgedLength = 4100

type Mark = { at?: number; bytes: string; type: string }

/** What files begin with, as Latin-1 text. Containers that hold several types come after the table. */
const marks: Mark[] = [
  { bytes: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { bytes: '\xff\xd8\xff', type: 'image/jpeg' },
  { bytes: 'GIF87a', type: 'image/gif' },
  { bytes: 'GIF89a', type: 'image/gif' },
  { bytes: 'II*\0', type: 'image/tiff' },
  { bytes: 'MM\0*', type: 'image/tiff' },
  { bytes: '%PDF-', type: 'application/pdf' },
  { bytes: '\x1f\x8b\x08', type: 'application/gzip' },
  { bytes: "7z\xbc\xaf'\x1c", type: 'application/x-7z-compressed' },
  { bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', type: 'application/vnd.ms-office' },
  { bytes: '\0asm', type: 'application/wasm' },
  { bytes: 'glTF', type: 'model/gltf-binary' },
  { bytes: 'ID3', type: 'audio/mpeg' },
  { bytes: 'fLaC', type: 'audio/flac' },
  { bytes: 'wOFF', type: 'font/woff' },
  { bytes: 'wOF2', type: 'font/woff2' },
  { bytes: 'OTTO\0', type: 'font/otf' },
  { bytes: '\0\x01\0\0\0', type: 'font/ttf' },
  { bytes: '\x7fELF', type: 'application/x-elf' },
  { bytes: 'MZ', type: 'application/x-msdownload' },
  { bytes: 'FWS', type: 'application/x-shockwave-flash' },
  { bytes: 'CWS', type: 'application/x-shockwave-flash' },
  { bytes: 'ZWS', type: 'application/x-shockwave-flash' },
]

/** What a file is, judged by its beginning and never by its name or by what its sender says of it. */
export function judgeContent(beginning: Buffer): string {
  const text = beginning.toString('latin1')
  const mark = marks.find(({ bytes }) => text.startsWith(bytes))
  // A text may well start with MZ; what these marks stand for has a zero soon.
  if (mark && (!/^\w{1,3}$/.test(mark.bytes) || beginning.includes(0))) return mark.type
  return judgeContainer(beginning, text) ?? judgeText(beginning) ?? 'application/octet-stream'
}

function judgeContainer(beginning: Buffer, text: string): string | undefined {
  if (text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06')) return judgeArchive(text)
  if (text.startsWith('RIFF')) {
    return { WEBP: 'image/webp', WAVE: 'audio/wav', 'AVI ': 'video/x-msvideo' }[text.slice(8, 12)]
  }
  if (text.startsWith('BM') && beginning.length > 14 && beginning.readUInt32LE(6) === 0) return 'image/bmp'
  if (text.slice(4, 8) === 'ftyp') return judgeBrand(text.slice(8, 12))
  if (text.startsWith('\x1a\x45\xdf\xa3')) return text.includes('webm') ? 'video/webm' : 'video/x-matroska'
  if (text.startsWith('OggS')) return text.slice(0, 200).includes('theora') ? 'video/ogg' : 'audio/ogg'
  const [first = 0, second = 0] = beginning
  // Frames of MPEG audio and of AAC have no more of a mark than eleven bits.
  if (first === 0xff && (second & 0xf6) === 0xf0 && beginning.includes(0)) return 'audio/aac'
  if (first === 0xff && (second & 0xe6) === 0xe2) return 'audio/mpeg'
  return undefined
}

/** Documents of office programs are archives with files of set names in them. */
function judgeArchive(text: string): string {
  const office = 'application/vnd.openxmlformats-officedocument'
  if (text.includes('word/')) return `${office}.wordprocessingml.document`
  if (text.includes('xl/')) return `${office}.spreadsheetml.sheet`
  if (text.includes('ppt/')) return `${office}.presentationml.presentation`
  return 'application/zip'
}

function judgeBrand(brand: string): string {
  if (brand === 'avif' || brand === 'avis') return 'image/avif'
  if (/^(hei|hev|mif1|msf1)/.test(brand)) return 'image/heic'
  if (brand.startsWith('qt')) return 'video/quicktime'
  return brand.startsWith('M4A') ? 'audio/mp4' : 'video/mp4'
}
