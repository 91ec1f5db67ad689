import type { FastifyInstance } from 'fastify'
import type { Brand } from './loadBrand.ts'

/** Serves what belongs to the brand. Its addresses change with its content, so that it is kept for good. */
export function registerBrand(app: FastifyInstance, brand: Brand): void {
  for (const { path, type, content } of brand.files)
    app.get(path, (_request, reply) =>
      reply
        .headers({
          'Content-Type': type,
          'Cache-Control': 'public, max-age=31536000, immutable',
          'X-Content-Type-Options': 'nosniff',
          // A drawing opened by itself is a document that could run script on our origin.
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
