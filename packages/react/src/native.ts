export { type AppStateLike, createNativeClient, type NativeClientOptions } from './core/platform/createNativeClient.ts'
export * from './index.ts'
