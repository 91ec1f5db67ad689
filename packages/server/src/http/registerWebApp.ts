import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { BrandRecord, RuntimeConfig } from '@countersign/protocol'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listProviders } from '../auth/providers/providerSignIn.ts'
import type { BrandSettings } from '../config/brandSettings.ts'
import { ConfigError } from '../config/ConfigError.ts'
import type { Context } from '../context/Context.ts'
import { getSignInOptions } from '../users/signUpRules.ts'
import { hasOpenOutbox } from './request/localApp.ts'

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

const folder = fileURLToPath(new URL('../web/', import.meta.url))

/** The documentation: static files, which a build in progress may lack. */
const documentation = fileURLToPath(new URL('../docs/', import.meta.url))

const createPolicy = ({ authProviders, config }: Context) => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  // The relay that the operator has set, where people sign in with Farcaster.
  ["connect-src 'self'", authProviders.get('farcaster')?.farcaster?.relay].filter(Boolean).join(' '),
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  // Text never becomes script or markup, and no policy may be made that would let it but the one for the worker.
  "require-trusted-types-for 'script'",
  `trusted-types ${config.push?.web ? 'countersign-push' : "'none'"}`,
]

const createSafety = (context: Context) => ({
  'Content-Security-Policy': createPolicy(context).join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
})

/** Serves the web application, and gives it the API's address at run time. */
export async function registerWebApp(app: FastifyInstance, context: Context): Promise<void> {
  const safety = createSafety(context)
  const brand = await loadBrand(context.config.brand)
  registerBrand(app, brand)
  app.get('/config.json', (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send(runtimeConfig(context, brand)),
  )
  if (!existsSync(folder)) return

  const page = createPage(await readFile(join(folder, 'index.html'), 'utf8'), context.config.appName, brand)
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const accepted = request.headers['accept-encoding'] ?? ''
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
    reply.headers({ ...safety, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }).type('text/html; charset=utf-8')
    return encoding ? reply.header('Content-Encoding', encoding).send(page[encoding]) : reply.send(page.plain)
  }

  const files = {
    preCompressed: true,
    index: false as const,
    cacheControl: false,
    setHeaders(response: { setHeader(name: string, value: string): void }, path: string) {
      const lasting = path.includes('/assets/')
      response.setHeader('Cache-Control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
      for (const [name, value] of Object.entries(safety)) response.setHeader(name, value)
    },
  }
  await app.register(fastifyStatic, {
    ...files,
    root: folder,
    wildcard: false,
    // Compressed twins are found beside their file; with a route for each there would be three times as many.
    globIgnore: ['assets/**', '**/index.html*', '**/*.br', '**/*.gz'],
  })
  // One route for all: a route for each of hundreds takes a tenth of the start.
  await app.register(async (scope) => {
    hideFaults(scope)
    await scope.register(fastifyStatic, {
      ...files,
      root: join(folder, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
      allowedPath: (path) => !/\.(br|gz)$/.test(path),
    })
  })
  if (hasDocumentation(context)) await registerDocumentation(app, safety)
  // Every address that is not a file is a screen of the application.
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept?.includes('text/html') ?? false)
    if (wantsPage) return sendPage(request, reply)
    return reply
      .code(404)
      .send({ code: 108, error: `Unknown endpoint: ${request.method} ${request.url.split('?')[0]}.` })
  })
  app.get('/', sendPage)
  app.get('/index.html', sendPage)
}

/** A path out of the folder is rejected by an error, which callers see as not found. */
function hideFaults(scope: FastifyInstance): void {
  scope.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
    if ((error.statusCode ?? 500) >= 500) throw error
    reply.callNotFound()
  })
}

/** Pages with style and script in files of their own, so that the policy of the application holds for them. */
async function registerDocumentation(app: FastifyInstance, safety: ReturnType<typeof createSafety>): Promise<void> {
  await app.register(async (scope) => {
    hideFaults(scope)
    await scope.register(fastifyStatic, {
      root: documentation,
      prefix: '/docs/',
      decorateReply: false,
      preCompressed: true,
      extensions: ['html'],
      cacheControl: false,
      setHeaders(response) {
        response.setHeader('Cache-Control', 'no-cache')
        for (const [name, value] of Object.entries(safety)) response.setHeader(name, value)
      },
    })
  })
  // Its links are relative, so that it works under any path: they need the slash, which routing takes no notice of.
  app.get('/docs', (request, reply) =>
    /^\/docs\/(\?|$)/.test(request.url) ? reply.sendFile('index.html', documentation) : reply.redirect('/docs/', 302),
  )
}

function hasDocumentation({ config: { docs, mount, mountPath } }: Context): boolean {
  return docs && ![mount, ...mountPath].includes('/docs') && existsSync(documentation)
}

/** A path, not an address: the page may be open under any name of this machine. */
function runtimeConfig(context: Context, brand: Brand): RuntimeConfig {
  const { config, keys } = context
  const { results: providers } = listProviders(context)
  const { methods, signUp, emailCode } = getSignInOptions(context)
  return {
    appId: keys.appId,
    serverUrl: config.mount,
    ...(config.javascriptKey && { javascriptKey: config.javascriptKey }),
    appName: config.appName,
    outbox: hasOpenOutbox(context),
    verifyUserEmails: config.verifyUserEmails,
    ...(providers.length > 0 && { providers }),
    ...(emailCode && { emailCode }),
    passwordMinLength: Math.max(8, config.passwordPolicy.minLength),
    signIn: { methods, signUp },
    accountDeletionGrace: config.accountDeletionGrace,
    ...(config.push?.web && { push: true as const }),
    ...(hasDocumentation(context) && { docs: true as const }),
    demoWallet: !config.production,
    brand: brand.record,
  }
}

/** Serves what belongs to the brand. Its addresses change with its content, so that it is kept for good. */
function registerBrand(app: FastifyInstance, brand: Brand): void {
  for (const { path, type, content } of brand.files)
    app.get(path, (_request, reply) =>
      reply
        .headers({
          'Content-Type': type,
          'Cache-Control': 'public, max-age=31536000, immutable',
          'X-Content-Type-Options': 'nosniff',
          // A drawing opened directly is a document that could run script on our origin.
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        })
        .send(content),
    )
  // For pages that do not come from here, such as those of the development server.
  app.get('/brand.css', (_request, reply) =>
    reply
      .headers({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' })
      .type('text/css; charset=utf-8')
      .send(brand.files.find(({ path }) => path === brand.sheet)?.content ?? ''),
  )
}

type Page = { plain: Buffer; gzip: Buffer; br: Buffer }

/**
 * The page of the application with the name and the brand in its head, so that the first paint has them: a policy
 * without inline script or style leaves no later moment that would not be seen.
 */
export function createPage(html: string, appName: string, brand: Brand): Page {
  const title = escapeText(appName)
  const sheet = brand.sheet ? `<link rel="stylesheet" href="${brand.sheet}" />` : ''
  let page = html.replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>\n    ${sheet}`)
  if (brand.icon) page = page.replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${escapeText(brand.icon)}" />`)
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
type Brand = {
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

/** Links of the older mails lead to pages under the mount; they go on to the screens of the web application. */
export function registerLegacyRedirects(app: FastifyInstance, context: Context): void {
  const forward = (from: string, to: string) =>
    app.get(`${context.config.mount}/apps/${from}`, (request: FastifyRequest, reply) => {
      const { token } = request.query as { token?: unknown }
      const secret = typeof token === 'string' ? `?token=${encodeURIComponent(token)}` : ''
      return reply.redirect(`${context.publicUrl}${to}${secret}`, 302)
    })
  forward(':appId/verify_email', '/verify-email')
  forward(':appId/request_password_reset', '/reset')
  forward('choose_password', '/reset')
}
