// Small copies of pictures: Node has nothing for them, and people get the whole picture.

export const canShrinkImages = false;

export const shrunkImage = async (_bytes: Uint8Array, _side: number, _mostPixels: number): Promise<Uint8Array | null> =>
  null;
