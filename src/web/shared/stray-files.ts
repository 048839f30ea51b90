// Ignores files that are dropped outside a drop zone: the browser would open them instead of the page.

export function refuseStrayFiles(): void {
  for (const name of ['dragover', 'drop'] as const)
    document.addEventListener(name, (event) => {
      if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    });
}
