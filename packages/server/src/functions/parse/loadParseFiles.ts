import type { Context } from '../../context/Context.ts'
import { createRegistry } from '../../context/createRegistry.ts'
import type { Registry } from '../../context/Registry.ts'
import { CloudError } from '../CloudError.ts'
import { connectParse } from './connectParse.ts'
import { createCloud } from './createCloud.ts'
import { createModules } from './createModules.ts'

/** Runs files that were written for `Parse.Cloud` or `Moralis.Cloud`, unchanged; what they define goes into the registry. */
export async function loadParseFiles(context: Context, registry: Registry, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  const { createJiti } = await import('jiti')
  const parse = connectParse(context)
  const found = createRegistry()
  parse.Cloud = { ...parse.Cloud, ...createCloud(context, parse, found) }
  const load = createModules(createJiti(import.meta.url, { fsCache: false }), { Parse: parse, Moralis: parse })
  for (const file of files) {
    try {
      const exported = load(file)
      // `module.exports = (Parse) => { … }`, or the same as a default export.
      const start: unknown = typeof exported === 'function' ? exported : Reflect.get(Object(exported), 'default')
      if (typeof start === 'function') await start(parse)
    } catch (cause) {
      throw new CloudError(file, cause)
    }
  }
  for (const [name, item] of found.functions) registry.functions.set(name, item)
  for (const [name, item] of found.jobs) registry.jobs.set(name, item)
  for (const [key, hooks] of found.hooks) registry.hooks.set(key, [...(registry.hooks.get(key) ?? []), ...hooks])
}
