export { defineSchema } from './classes/schema/defineSchema.ts'
export type {
  ClassDefinition,
  FieldDefinition,
  IndexDefinition,
  SchemaFile,
} from './classes/schema/SchemaFile.ts'
export type { ConfigInput } from './config/Config.ts'
export { defineConfig } from './config/defineConfig.ts'
