import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import type { ParseSdk } from './ParseSdk.ts'

const require = createRequire(import.meta.url)

/**
 * The public client, loaded for this server alone: it keeps its settings in its modules, and another server or client
 * in the same process has its own.
 */
export function loadParse(): ParseSdk {
  const entry = require.resolve('parse/node')
  const inside = (path: string) => path === entry || path.startsWith(join(dirname(entry), 'lib') + sep)
  const takeOut = () => {
    const taken = Object.entries(require.cache).filter(([path]) => inside(path))
    for (const [path] of taken) delete require.cache[path]
    return taken
  }
  const others = takeOut()
  try {
    return require('parse/node') as ParseSdk
  } finally {
    takeOut()
    for (const [path, module] of others) require.cache[path] = module
  }
}
