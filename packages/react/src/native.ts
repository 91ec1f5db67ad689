export { type AppStateLike, createNativeClient, type NativeClientOptions } from './core/setup/createNativeClient.ts'
export * from './index.ts'
