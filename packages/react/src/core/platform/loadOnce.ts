import { CountersignError } from '@countersign/protocol'

/**
 * Gives what loads a part of the layer that a page can start without. It is fetched once; where that fails, the next
 * call tries again.
 */
export function loadOnce<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined
  return () => {
    loading ??= load().catch((cause) => {
      loading = undefined
      throw new CountersignError('ConnectionFailed', 'A part of this page could not be loaded.', {
        reason: 'serverUnreachable',
        cause,
        details: 'Check the network and try again. If the site was updated meanwhile, reload the page.',
      })
    })
    return loading
  }
}
