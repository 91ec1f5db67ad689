import { writeSync } from 'node:fs'

/** @typedef {{ module: string, from: string, to: string }} Fault */

/** @type {Fault | undefined} */
let fault

/** @param {Fault} fault @param {string} path */
export const isOf = ({ module }, path) => path.endsWith(`src/${module}.ts`) || path.endsWith(`dist/${module}.js`)

/** @param {Fault} fault @param {string} source */
export function plant({ module, from, to }, source) {
  const parts = source.split(from)
  // A fault that is not planted would be a test that proves nothing.
  if (parts.length !== 2) throw new Error(`${module} has ${parts.length - 1} times: ${from}`)
  // Hooks run in a thread whose console may never be shown.
  writeSync(2, `planted in ${module}\n`)
  return parts.join(to)
}

/** @param {Fault} data */
export function initialize(data) {
  fault = data
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context)
  return fault && isOf(fault, url) ? { ...loaded, source: plant(fault, String(loaded.source)) } : loaded
}
