import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrandRecord } from '@countersign/protocol'
import type { BrandSettings } from '../config/brandSettings.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { createBrandIcon } from './createBrandIcon.ts'
import { createBrandSheet } from './createBrandSheet.ts'

export type BrandFile = { path: string; type: string; content: Buffer }

/** A brand made ready: what the page is told, what is served for it, and what stands in the page itself. */
export type Brand = {
  record: BrandRecord
  files: BrandFile[]
  /** Path of the style sheet; a new one for each change, so that it can be kept. */
  sheet?: string
  icon?: string
  paper?: { light: string; dark: string }
}

const types: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
}
const mostBytes = 512 * 1024

/** Reads the pictures of the brand and writes its style sheet, once, at the start. */
export async function loadBrand({ logo, logoDark, icon, colours, texts }: BrandSettings): Promise<Brand> {
  const files: BrandFile[] = []
  const pictures: { [name: string]: string } = {}
  for (const [name, place] of Object.entries({ logo, logoDark, icon })) {
    if (place === undefined) continue
    // What begins with a slash is served by this origin already.
    pictures[name] = place.startsWith('/') ? place : add(await readPicture(name, place))
  }
  const record: BrandRecord = {
    ...dropUnset(texts),
    ...(pictures.logo && { logo: pictures.logo }),
    ...(pictures.logoDark && { logoDark: pictures.logoDark }),
  }
  if (!colours) return { record, files, ...(pictures.icon && { icon: pictures.icon }) }
  const sheet = { name: 'colours.css', type: 'text/css; charset=utf-8', content: createBrandSheet(colours) }
  const drawn = { name: 'icon.svg', type: 'image/svg+xml', content: createBrandIcon(colours) }
  return {
    record,
    sheet: add(sheet),
    icon: pictures.icon ?? add(drawn),
    paper: { light: colours.light.paper, dark: colours.dark.paper },
    files,
  }

  function add({ name, type, content }: { name: string; type: string; content: Buffer }): string {
    const mark = createHash('sha256').update(content).digest('hex').slice(0, 12)
    const path = `/brand/${mark}-${name}`
    files.push({ path, type, content })
    return path
  }
}

async function readPicture(name: string, place: string) {
  const path = place.startsWith('file:') ? fileURLToPath(place) : resolve(place)
  const type = types[extname(path).toLowerCase()]
  if (!type)
    throw new ConfigError(`brand.${name}: ${place} is no picture. It must be one of ${Object.keys(types).join(', ')}.`)
  const content = await readFile(path).catch((cause) => {
    throw new ConfigError(
      `brand.${name}: there is no file that can be read at ${path}. Name it relative to the folder in which the server is started, such as ./brand/logo.svg.`,
      { cause },
    )
  })
  if (content.length > mostBytes)
    throw new ConfigError(
      `brand.${name}: ${place} has ${Math.ceil(content.length / 1024)} kB, and every visitor loads it. Make it smaller than ${mostBytes / 1024} kB.`,
    )
  return { name: `${name}${extname(path).toLowerCase()}`, type, content }
}

function dropUnset<Values extends object>(values: Values): BrandRecord {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
