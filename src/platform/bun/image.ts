// Small copies of pictures. Bun decodes and encodes them on threads of its pool, not on the event loop.

export const canShrinkImages = true;

/**
 * A WebP of at most `side` pixels in width and height, of the first frame, turned as the camera says.
 * Null for what cannot be decoded, and for more than `mostPixels`, which the header tells before any memory is taken.
 */
export async function shrunkImage(bytes: Uint8Array, side: number, mostPixels: number): Promise<Uint8Array | null> {
  try {
    const image = new Bun.Image(bytes, { maxPixels: mostPixels });
    return await image.resize(side, side, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 80 }).bytes();
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_IMAGE_')) return null;
    throw error;
  }
}
