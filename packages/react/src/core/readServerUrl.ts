import { ValidationError } from './errors/ValidationError.ts'

/** The server's address in full and without a slash at its end. In a page it may be given relative to the page. */
export function readServerUrl(text: string): string {
  const base = typeof window === 'undefined' ? undefined : window.location?.href
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    throw invalid(text)
  }
  if (!/^https?:$/.test(url.protocol)) throw invalid(text)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function invalid(text: string): ValidationError {
  return new ValidationError(
    `serverUrl is not an address: ${JSON.stringify(text)}`,
    'Give the full address of the API with its mount, such as http://localhost:1337/server.',
  )
}
