export { type AppStateLike, createNativeClient, type NativeClientOptions } from './core/createNativeClient.ts'
export * from './index.ts'
