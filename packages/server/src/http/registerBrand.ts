import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { BrandRecord } from '@countersign/protocol'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { BrandSettings } from '../config/brandSettings.ts'
import { ConfigError } from '../config/ConfigError.ts'
import type { Context } from '../context/Context.ts'

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

/** Files of former brands that are still served, for pages that were loaded before a change. */
const mostFiles = 50

/** The brand and the page with it, as set at that moment. */
export type Branding = { brand: Brand; page: Page | undefined }

/**
 * Serves what belongs to the brand and returns a function for the current one. Addresses of its files change with their
 * content, so that browsers keep them for good.
 */
export async function registerBrand(
  app: FastifyInstance,
  { config, log }: Context,
  html: string | undefined,
): Promise<() => Promise<Branding>> {
  const files = new Map<string, BrandFile>()
  const make = async (settings: BrandSettings, appName: string): Promise<Branding> => {
    const brand = await loadBrand(settings)
    for (const file of brand.files) files.set(file.path, file)
    for (const path of [...files.keys()].slice(0, -mostFiles)) files.delete(path)
    return { brand, page: html === undefined ? undefined : createPage(html, appName, brand) }
  }
  let [settings, appName] = [config.brand, config.appName]
  let current = Promise.resolve(await make(settings, appName))
  const getBranding = () => {
    if (settings === config.brand && appName === config.appName) return current
    const former = current
    settings = config.brand
    appName = config.appName
    current = make(settings, appName).catch((error) => {
      log.warn({ err: error }, 'the brand cannot be used')
      return former
    })
    return current
  }
  app.get('/brand/*', async (request, reply) => {
    await getBranding()
    const file = files.get(request.url.split('?', 1)[0] ?? '')
    return file ? sendFile(reply, file) : reply.callNotFound()
  })
  // For pages that do not come from here, such as those of the development server.
  app.get('/brand.css', async (_request, reply) => {
    const { brand } = await getBranding()
    return reply
      .headers({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' })
      .type('text/css; charset=utf-8')
      .send(brand.files.find(({ path }) => path === brand.sheet)?.content ?? '')
  })
  return getBranding
}

function sendFile(reply: FastifyReply, { type, content }: BrandFile): FastifyReply {
  return reply
    .headers({
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      // A drawing opened directly is a document that could run script on our origin.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
    .send(content)
}

export type Page = { plain: Buffer; gzip: Buffer; br: Buffer }

/**
 * The page of the application with the name and the brand in its head, so that the first paint has them: a policy
 * without inline script or style leaves no later moment that would not be seen.
 */
export function createPage(html: string, appName: string, brand: Brand): Page {
  const title = escapeText(appName)
  const sheet = brand.sheet ? `<link rel="stylesheet" href="${brand.sheet}" />` : ''
  let page = html.replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>\n    ${sheet}`)
  for (const kind of brand.icon ? ['icon', 'apple-touch-icon'] : []) {
    const tag = `<link rel="${kind}" href="${escapeText(brand.icon ?? '')}" />`
    page = page.replace(new RegExp(`<link rel="${kind}"[^>]*>`), () => tag)
  }
  if (brand.paper) {
    const { light, dark } = brand.paper
    const tag = `<meta name="theme-color" content="${light}" data-light="${light}" data-dark="${dark}" />`
    page = page.replace(/<meta name="theme-color"[^>]*>/, tag)
  }
  const plain = Buffer.from(page)
  return {
    plain,
    gzip: gzipSync(plain, { level: 9 }),
    br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  }
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

type BrandFile = { path: string; type: string; content: Buffer }

/** A prepared brand: the page's record, its files, and its part of the page itself. */
export type Brand = {
  record: BrandRecord
  files: BrandFile[]
  /** Path of the style sheet; a new one for each change, so that it can be kept. */
  sheet?: string
  icon?: string
  paper?: { light: string; dark: string }
}

/** Reads the pictures of the brand and writes its style sheet, once, at the start. */
export async function loadBrand({ logo, logoDark, icon, colors, texts }: BrandSettings): Promise<Brand> {
  const files: BrandFile[] = []
  const pictures: { [name: string]: string } = {}
  for (const [name, place] of Object.entries({ logo, logoDark, icon })) {
    if (place === undefined) continue
    // A path is served by this origin already.
    pictures[name] = place.startsWith('/') ? place : add(await readPicture(name, place))
  }
  const record: BrandRecord = {
    ...dropUnset(texts),
    ...(pictures.logo && { logo: pictures.logo }),
    ...(pictures.logoDark && { logoDark: pictures.logoDark }),
  }
  if (!colors) return { record, files, ...(pictures.icon && { icon: pictures.icon }) }
  const sheet = { name: 'colors.css', type: 'text/css; charset=utf-8', content: createBrandSheet(colors) }
  const drawn = { name: 'icon.svg', type: 'image/svg+xml', content: createBrandIcon(colors) }
  return {
    record,
    sheet: add(sheet),
    icon: pictures.icon ?? add(drawn),
    paper: { light: colors.light.paper, dark: colors.dark.paper },
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
    throw new ConfigError(`brand.${name}: ${place} is not an image. Use one of ${Object.keys(types).join(', ')}.`)
  const content = await readFile(path).catch((cause) => {
    throw new ConfigError(
      `brand.${name}: the file ${path} cannot be read. Use a path relative to the folder where you start the server, such as ./brand/logo.svg.`,
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

/** Icon of the application in the colors of a brand without its own icon. */
function createBrandIcon({ light: { accent, onAccent } }: NonNullable<BrandSettings['colors']>): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="${onAccent}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><rect width="32" height="32" rx="9" fill="${accent}" stroke="none"/><path d="M22.6 9.4a9.4 9.4 0 1 0 0 13.2"/><path d="m12.4 16.2 3.4 3.4 8.2-8.2" opacity=".7"/></svg>`,
  )
}

/**
 * The style sheet that takes the place of the application's own colors. Unlayered, it wins over the layer in which
 * those stand; the sign-in sheet wears the same.
 */
function createBrandSheet({ light, dark }: NonNullable<BrandSettings['colors']>): Buffer {
  const lines = Object.keys(light).flatMap((name) => {
    const key = name as keyof typeof light
    const variable = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const value = `light-dark(${light[key]},${dark[key]})`
    return [`--color-${variable}:${value}`, `--cs-${variable}:${value}`]
  })
  return Buffer.from(`:root{${lines.join(';')}}\n`)
}
