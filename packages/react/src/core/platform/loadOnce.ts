import { CountersignError } from '@countersign/protocol'

/**
 * Returns a loader for a part that a page can start without. It is loaded once; after a failure the next call tries
 * again.
 */
export function loadOnce<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined
  return () => {
    loading ??= load().catch((cause) => {
      loading = undefined
      throw new CountersignError('ConnectionFailed', 'A part of this page could not be loaded.', {
        reason: 'serverUnreachable',
        cause,
        details: 'Check the network and try again. If the site was updated, reload the page.',
      })
    })
    return loading
  }
}
