import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RuntimeConfig } from '@countersign/protocol'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context/Context.ts'
import { hasOpenOutbox } from './isLocalApp.ts'

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
  "require-trusted-types-for 'script'",
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
  app.get('/config.json', (_request, reply) => reply.header('Cache-Control', 'no-store').send(runtimeConfig(context)))
  if (!existsSync(folder)) return

  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    wildcard: false,
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
    if (wantsPage) return reply.sendFile('index.html')
    return reply
      .code(404)
      .send({ code: 108, error: `There is no ${request.method} ${request.url.split('?')[0]} here.` })
  })
  app.get('/', (_request, reply) => reply.sendFile('index.html'))
}

/** A path, not an address: the page may be open under any name of this machine. */
function runtimeConfig(context: Context): RuntimeConfig {
  const { config, keys } = context
  return {
    appId: keys.appId,
    serverUrl: config.mount,
    ...(config.javascriptKey && { javascriptKey: config.javascriptKey }),
    appName: config.appName,
    outbox: hasOpenOutbox(context),
    verifyUserEmails: config.verifyUserEmails,
    passwordMinLength: Math.max(8, config.passwordPolicy.minLength),
    demoWallet: !config.production,
  }
}
