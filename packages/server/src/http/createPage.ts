import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Brand } from './loadBrand.ts'

export type Page = { plain: Buffer; gzip: Buffer; br: Buffer }

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
