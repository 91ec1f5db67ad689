import type { Context } from './Context.ts'

/** Origins of our own pages: the application's and the web application's. Never of a request header. */
export function listOwnOrigins({ publicUrl, webUrl }: Pick<Context, 'publicUrl' | 'webUrl'>): URL[] {
  return [new URL(publicUrl), new URL(webUrl)]
}
