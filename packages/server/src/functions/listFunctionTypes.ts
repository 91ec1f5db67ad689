import { basename, resolve } from 'node:path'
import { CloudError } from './CloudError.ts'
import { type FunctionDefinition, mark } from './Definition.ts'
import { createImporter, listCloudFiles, listDefinitions } from './loadCloud.ts'
import { sortFiles } from './parse/loadParseFiles.ts'
import { writeSchemaType } from './writeSchemaType.ts'

const anything = '{ input: { readonly [name: string]: unknown }; output: unknown }'

/** Input and output types of the functions in the cloud folder, as entries of a TypeScript type. */
export async function listFunctionTypes(cloud: string): Promise<string[]> {
  const importFile = createImporter()
  const { own, older } = await sortFiles(await listCloudFiles(resolve(cloud)))
  const entries: string[] = []
  for (const file of own) {
    try {
      for (const { name, definition } of listDefinitions(basename(file), await importFile(file))) {
        if (definition[mark] === 'function') entries.push(`${JSON.stringify(name)}: ${writeFunctionType(definition)}`)
      }
    } catch (cause) {
      throw new CloudError(file, cause)
    }
  }
  // Of functions of the older form nobody knows more than that they may be there.
  return [...entries.sort(), ...(older.length > 0 ? [`[name: string]: ${anything}`] : [])]
}

function writeFunctionType({ input, output }: FunctionDefinition): string {
  const taken = input ? writeSchemaType(input, 'input') : '{ readonly [name: string]: unknown }'
  return `{ input: ${taken}; output: ${output ? writeSchemaType(output, 'output') : 'unknown'} }`
}
