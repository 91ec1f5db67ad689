import { CountersignError } from '@countersign/protocol'
import type { ClientInternal } from '../client/Client.ts'
import { cancelled } from '../errors/errors.ts'
import { readAnswer } from '../http/sendRequest.ts'

type Sending = { onProgress?: ((fraction: number) => void) | undefined; signal?: AbortSignal | undefined }

/**
 * Sends a form and reads the response. `fetch` does not report the progress of an upload, so a page uses
 * XMLHttpRequest.
 */
export async function sendForm(
  options: ClientInternal['options'],
  url: string,
  init: RequestInit,
  form: FormData,
  { onProgress, signal }: Sending,
): Promise<object> {
  const { 'Content-Type': _, ...headers } = init.headers as Record<string, string>
  const byPage = onProgress && !options.fetch && typeof XMLHttpRequest !== 'undefined'
  try {
    if (byPage) return await sendByPage(url, { ...init, headers }, form, onProgress, signal)
    const fetch = options.observedFetch ?? options.fetch ?? globalThis.fetch
    const response = await fetch(url, { ...init, headers, body: form, ...(signal && { signal }) })
    const answer = readAnswer(response, await response.text())
    onProgress?.(1)
    return answer
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause
    if (signal?.aborted) throw cancelled(signal)
    throw new CountersignError('ConnectionFailed', 'The upload was interrupted.', {
      reason: 'serverUnreachable',
      details: 'Check the network, that the server is running, and that it allows files of this size.',
      cause,
    })
  }
}

function sendByPage(
  url: string,
  { method, headers, credentials }: RequestInit,
  form: FormData,
  onProgress: (fraction: number) => void,
  signal: AbortSignal | undefined,
): Promise<object> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    const giveUp = () => call.abort()
    call.open(method ?? 'POST', url)
    for (const [name, value] of Object.entries(headers as Record<string, string>)) call.setRequestHeader(name, value)
    call.withCredentials = credentials === 'include'
    call.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress(loaded / total)
    call.onload = () => {
      try {
        resolve(
          readAnswer(
            new Response(call.responseText, { status: call.status, headers: readHeaders(call) }),
            call.responseText,
          ),
        )
      } catch (error) {
        reject(error)
      }
    }
    call.onerror = () => reject(new Error('network error'))
    call.onabort = () => reject(new Error('cancelled'))
    call.onloadend = () => signal?.removeEventListener('abort', giveUp)
    signal?.addEventListener('abort', giveUp, { once: true })
    if (signal?.aborted) return reject(new Error('cancelled'))
    call.send(form)
  })
}

function readHeaders(call: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of call
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const [name = '', ...rest] = line.split(': ')
    if (name) headers.append(name, rest.join(': '))
  }
  return headers
}
