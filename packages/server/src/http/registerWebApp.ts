import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RuntimeConfig } from '@countersign/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listProviders } from '../auth/providers/providerSignIn.ts'
import type { Context } from '../context/Context.ts'
import { getSignInOptions } from '../users/signUpRules.ts'
import { type Brand, registerBrand } from './registerBrand.ts'
import { listDemoChains } from './registerDemoNode.ts'
import { hasOpenOutbox } from './request/localApp.ts'
import { listEncodings, readFolder, readPath, type StaticFile, sendStatic } from './staticFiles.ts'

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
  // Text never becomes script or markup, and no policy may be made that would let it but those for the worker.
  "require-trusted-types-for 'script'",
  `trusted-types countersign-worker${config.push?.web ? ' countersign-push' : ''}`,
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
  const hasPages = existsSync(folder)
  const html = hasPages ? await readFile(join(folder, 'index.html'), 'utf8') : undefined
  const getBranding = await registerBrand(app, context, html)
  app.get('/config.json', async (_request, reply) => {
    const { brand } = await getBranding()
    return reply.header('Cache-Control', 'no-store').send(runtimeConfig(context, brand))
  })
  if (!hasPages) return
  app.get('/manifest.webmanifest', async (_request, reply) => {
    const { brand } = await getBranding()
    return reply
      .headers({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' })
      .type('application/manifest+json')
      .send(JSON.stringify(createManifest(context.config.appName, brand)))
  })

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const { page } = await getBranding()
    if (!page) return reply.callNotFound()
    const [encoding] = listEncodings(request.headers['accept-encoding'])
    reply.headers({ ...safety, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }).type('text/html; charset=utf-8')
    return encoding ? reply.header('Content-Encoding', encoding).send(page[encoding]) : reply.send(page.plain)
  }

  const files = await readFolder(folder)
  const send = (request: FastifyRequest, reply: FastifyReply, file: StaticFile, cacheControl: string) =>
    sendStatic(request, reply.headers({ ...safety, 'Cache-Control': cacheControl }), file)
  for (const [path, file] of files) {
    if (path.startsWith('assets/') || path === 'index.html') continue
    answer(app, `/${path}`, (request, reply) => send(request, reply, file, 'no-cache'))
  }
  // One route for all: a route for each of hundreds takes a tenth of the start.
  answer(app, '/assets/*', (request, reply) => {
    const file = files.get(`assets/${readPath(request, '/assets/') ?? ''}`)
    return file ? send(request, reply, file, 'public, max-age=31536000, immutable') : reply.callNotFound()
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

/** Adds a route for GET and HEAD. */
function answer(
  app: FastifyInstance,
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  app.route({ method: ['GET', 'HEAD'], url, handler })
}

/** Pages with style and script in files of their own, so that the policy of the application holds for them. */
async function registerDocumentation(app: FastifyInstance, safety: ReturnType<typeof createSafety>): Promise<void> {
  const files = await readFolder(documentation)
  const show = (request: FastifyRequest, reply: FastifyReply) => {
    const path = readPath(request, '/docs/')
    // Its links are relative, so that it works under any path: they need the slash, which routing takes no notice of.
    if (path === undefined) return reply.redirect('/docs/', 302)
    const file = files.get(path) ?? files.get(path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`)
    if (!file) return reply.callNotFound()
    return sendStatic(request, reply.headers({ ...safety, 'Cache-Control': 'no-cache' }), file)
  }
  answer(app, '/docs', show)
  answer(app, '/docs/*', show)
}

function hasDocumentation({ config: { docs, mount, mountPath } }: Context): boolean {
  return docs && ![mount, ...mountPath].includes('/docs') && existsSync(documentation)
}

/** The documentation of the API, for a person who opens its address: every start prints it. */
export function findApiPage(context: Context, { method, headers }: FastifyRequest): string | undefined {
  const isPerson = method === 'GET' && (headers.accept?.includes('text/html') ?? false)
  return isPerson && hasDocumentation(context) ? `${context.webUrl}/docs/http-api` : undefined
}

/** A path, not an address: the page may be open under any name of this machine. */
function runtimeConfig(context: Context, brand: Brand): RuntimeConfig {
  const { config, keys } = context
  const { results: providers } = listProviders(context)
  const { methods, signUp, emailCode } = getSignInOptions(context)
  const demoChains = listDemoChains(context)
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
    ...(demoChains.length > 0 && { demoChains }),
    brand: brand.record,
  }
}

/** With it, a browser offers to install the application. */
function createManifest(name: string, { icon, paper }: Brand) {
  const color = paper?.light ?? '#f7f5f0'
  const own = [
    { src: '/icons/192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icons/512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icons/maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ]
  return {
    id: '/',
    name,
    short_name: name,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: color,
    theme_color: color,
    icons: icon ? [{ src: icon, sizes: 'any' }] : own,
  }
}

/** Links of the older mails lead to pages under the mount; they go on to the screens of the web application. */
export function registerLegacyRedirects(app: FastifyInstance, context: Context): void {
  const forward = (from: string, to: string) =>
    app.get(`${context.config.mount}/apps/${from}`, (request: FastifyRequest, reply) => {
      const { token } = request.query as { token?: unknown }
      const secret = typeof token === 'string' ? `?token=${encodeURIComponent(token)}` : ''
      return reply.redirect(`${context.webUrl}${to}${secret}`, 302)
    })
  forward(':appId/verify_email', '/verify-email')
  forward(':appId/request_password_reset', '/reset')
  forward('choose_password', '/reset')
}
