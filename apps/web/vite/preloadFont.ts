import type { Plugin } from 'vite'

/** Loads the font's latin letters together with the style sheet: its hashed name is known only after the build. */
export function preloadFont(): Plugin {
  return {
    name: 'countersign:preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter((name) => /latin-wght.*\.woff2$/.test(name))
        return fonts.map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
          injectTo: 'head' as const,
        }))
      },
    },
  }
}
