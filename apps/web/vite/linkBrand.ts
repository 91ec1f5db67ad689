import type { Plugin } from 'vite'

/** While developing, the page does not come from our server, which writes the brand into its head. */
export function linkBrand(): Plugin {
  return {
    name: 'countersign:link-brand',
    apply: 'serve',
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'stylesheet', href: '/brand.css' }, injectTo: 'head' as const },
    ],
  }
}
