import { closeSync, fdatasyncSync, fsyncSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type HostStream = { nfd: number; node: { name: string; mode: number } }

type HostFs = {
  stream_ops: { fsync?: (stream: HostStream) => number }
  tryFSOperation: (operation: () => void) => void
}

export type DurableFs = {
  fs: NodeFS
  /** How many fsyncs have reached the disk. */
  syncs(): number
  /** Closes the files that a database has open which cannot do it any more. */
  closeAll(): void
}

const FILE_TYPE = 0o170000
const DIRECTORY = 0o040000

/**
 * PGlite's file system on the host knows no fsync: emscripten then reports success and a power cut loses
 * acknowledged writes. The operation is put into the table that its files share.
 */
export function createDurableFs(folder: string): DurableFs {
  let syncs = 0
  let streams: () => ({ nfd?: number } | null)[] = () => []

  const fsync = (hostFs: HostFs) => (stream: HostStream) => {
    hostFs.tryFSOperation(() => {
      const directory = (stream.node.mode & FILE_TYPE) === DIRECTORY
      if (directory) fsyncSync(stream.nfd)
      else fdatasyncSync(stream.nfd)
      syncs++
    })
    return 0
  }

  const fs = new NodeFS(folder)
  const init = fs.init.bind(fs)
  fs.init = (pglite, options) =>
    init(pglite, {
      ...options,
      preRun: [
        ...(options.preRun ?? []),
        (module) => {
          const hostFs = module.NODEFS as unknown as HostFs
          hostFs.stream_ops.fsync = fsync(hostFs)
          streams = () => (module.FS as unknown as { streams?: ReturnType<typeof streams> } | undefined)?.streams ?? []
        },
      ],
    })

  const closeAll = () => {
    for (const stream of streams()) {
      if (typeof stream?.nfd !== 'number') continue
      try {
        closeSync(stream.nfd)
      } catch {
        // Closed before.
      }
      delete stream.nfd
    }
  }

  return { fs, syncs: () => syncs, closeAll }
}
