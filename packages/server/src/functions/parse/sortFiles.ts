import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

const mentionsClient = /\b(Parse|Moralis)\s*\.\s*[A-Z]/
const mentionsUs = /['"]countersign['"]/

/**
 * Which files of the cloud folder are of our own form and which of the older one. Code of the older form begins at its
 * `main` where there is one; everything else of it is there to be required.
 */
export async function sortFiles(files: readonly string[]): Promise<{ own: string[]; older: string[] }> {
  const read = await Promise.all(files.map(async (file) => ({ file, source: await readFile(file, 'utf8') })))
  const others = read.filter(({ source }) => !mentionsUs.test(source))
  const main = others.find(({ file }) => /^main\.[cm]?[jt]s$/.test(basename(file)))
  const isOlder =
    others.some(({ source }) => mentionsClient.test(source)) || (main && /\brequire\s*\(/.test(main.source))
  if (!isOlder) return { own: [...files], older: [] }
  const older = main ? [main.file] : others.map(({ file }) => file)
  return { own: read.filter(({ source }) => mentionsUs.test(source)).map(({ file }) => file), older }
}
