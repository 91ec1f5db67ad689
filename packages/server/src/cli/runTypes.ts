import { writeFile } from 'node:fs/promises'
import { writeTypes } from '../classes/schema/writeTypes.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import { listFunctionTypes } from '../functions/listFunctionTypes.ts'
import { openSchemas } from './openSchemas.ts'
import type { Arguments } from './readArguments.ts'

/** `countersign types`: TypeScript types of the classes and of the functions for clients. */
export async function runTypes({ words, flags, configFile, options }: Arguments): Promise<void> {
  if (words.length > 0)
    throw new ConfigError('countersign types takes no arguments. Set the output file with --out FILE.')
  const config = await readConfig({ flags, configFile })
  const schemas = await openSchemas(config, options.server)
  try {
    const text = writeTypes(await schemas.list(), await listFunctionTypes(config.cloud))
    if (options.out === undefined) process.stdout.write(text)
    else await writeFile(options.out, text)
  } finally {
    await schemas.close()
  }
}
