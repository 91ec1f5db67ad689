const endings: { [type: string]: string } = {
  'image/png': 'png apng',
  'image/jpeg': 'jpg jpeg jfif',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic heif',
  'image/bmp': 'bmp',
  'image/tiff': 'tif tiff',
  'image/svg+xml': 'svg svgz',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg oga opus',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'video/mp4': 'mp4 m4v',
  'video/quicktime': 'mov qt',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/ogg': 'ogv',
  'video/x-msvideo': 'avi',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'application/pdf': 'pdf',
  'application/json': 'json geojson',
  'application/zip': 'zip',
  'application/gzip': 'gz tgz',
  'application/x-7z-compressed': '7z',
  'application/vnd.ms-office': 'doc xls ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/octet-stream': 'bin dat',
  'application/wasm': 'wasm',
  'model/gltf-binary': 'glb',
  'text/plain': 'txt text log',
  'text/csv': 'csv',
  'text/markdown': 'md markdown',
  'text/css': 'css',
  'text/javascript': 'js mjs cjs',
  'text/html': 'html htm shtml xhtml xht',
  'application/xml': 'xml xsl xslt rss atom mml mathml',
}

const types = new Map(
  Object.entries(endings).flatMap(([type, list]) => list.split(' ').map((ending) => [ending, type])),
)

/** The type that an ending stands for; `undefined` for one that we do not know. */
export function findTypeOfEnding(ending: string): string | undefined {
  return types.get(ending)
}

/** The ending that a file of a type without one gets. */
export function findEndingOfType(type: string): string | undefined {
  return Object.hasOwn(endings, type) ? endings[type]?.split(' ', 1)[0] : undefined
}
