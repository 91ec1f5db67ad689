import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(?:js|css|html|svg|json|webmanifest|txt)$/

/** Writes `.gz` and `.br` beside every text asset, so that the server never compresses during a request. */
export function compressAssets(): Plugin {
  let folder = ''
  return {
    name: 'countersign:compress-assets',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir
    },
    async closeBundle() {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !compressible.test(entry.name)) continue
        const file = join(entry.parentPath, entry.name)
        const source = await readFile(file)
        await writeFile(`${file}.gz`, await promisify(gzip)(source, { level: 9 }))
        await writeFile(
          `${file}.br`,
          await promisify(brotliCompress)(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        )
      }
    },
  }
}
