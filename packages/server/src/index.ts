export { CountersignError } from '@countersign/protocol'
export { z } from 'zod'
export { defineSchema } from './classes/schema/defineSchema.ts'
export type {
  ClassDefinition,
  FieldDefinition,
  IndexDefinition,
  SchemaFile,
} from './classes/schema/SchemaFile.ts'
export type { ConfigInput } from './config/Config.ts'
export { defineConfig } from './config/defineConfig.ts'
export type { CodeCaller } from './context/Registry.ts'
export type { FunctionDefinition, HookDefinition, JobDefinition } from './functions/Definition.ts'
export { defineFunction } from './functions/defineFunction.ts'
export { defineHook } from './functions/defineHook.ts'
export { defineJob } from './functions/defineJob.ts'
export type { CodeObject, ObjectQuery, Objects } from './functions/Objects.ts'
export { verifyWebhook } from './webhooks/signature.ts'
