import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RuntimeConfig } from '@countersign/protocol'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/Context.ts'
import { createPage } from './createPage.ts'
import { hasOpenOutbox } from './isLocalApp.ts'
import { type Brand, loadBrand } from './loadBrand.ts'
import { registerBrand } from './registerBrand.ts'

const folder = fileURLToPath(new URL('../web/', import.meta.url))

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  // Text never becomes script or markup, and no policy may be made that would let it.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const safety = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
}

/** Serves the web application, and tells it at run time where the API is (D4). */
export async function registerWebApp(app: FastifyInstance, context: Context): Promise<void> {
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

  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    wildcard: false,
    // Compressed twins are found beside their file; with a route for each there would be three times as many.
    globIgnore: ['**/index.html*', '**/*.br', '**/*.gz'],
    index: false,
    cacheControl: false,
    setHeaders(response, path) {
      const lasting = path.includes('/assets/')
      response.setHeader('Cache-Control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
      for (const [name, value] of Object.entries(safety)) response.setHeader(name, value)
    },
  })
  // Every address that is not a file is a screen of the application.
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept?.includes('text/html') ?? false)
    if (wantsPage) return sendPage(request, reply)
    return reply
      .code(404)
      .send({ code: 108, error: `There is no ${request.method} ${request.url.split('?')[0]} here.` })
  })
  app.get('/', sendPage)
  app.get('/index.html', sendPage)
}

/** A path, not an address: the page may be open under any name of this machine. */
function runtimeConfig(context: Context, brand: Brand): RuntimeConfig {
  const { config, keys } = context
  return {
    appId: keys.appId,
    serverUrl: config.mount,
    ...(config.javascriptKey && { javascriptKey: config.javascriptKey }),
    appName: config.appName,
    outbox: hasOpenOutbox(context),
    verifyUserEmails: config.verifyUserEmails,
    passwordMinLength: Math.max(8, config.passwordPolicy.minLength),
    accountDeletionGrace: config.accountDeletionGrace,
    demoWallet: !config.production,
    brand: brand.record,
  }
}
