export { CountersignError } from '@countersign/protocol'
export { z } from 'zod'
export type {
  ClassDefinition,
  FieldDefinition,
  IndexDefinition,
  SchemaFile,
} from './classes/schema/SchemaFile.ts'
export { defineSchema } from './classes/schema/SchemaFile.ts'
export type { ConfigInput } from './config/Config.ts'
export { defineConfig } from './config/defineConfig.ts'
export type { CodeCaller } from './context/Registry.ts'
export type { CodeObject } from './functions/CodeValue.ts'
export type { ObjectQuery, Objects } from './functions/createObjects.ts'
export type { FunctionDefinition, HookDefinition, JobDefinition, StateDefinition } from './functions/Definition.ts'
export { defineFunction, defineHook, defineJob, defineState } from './functions/Definition.ts'
export { verifyWebhook } from './webhooks/signature.ts'
