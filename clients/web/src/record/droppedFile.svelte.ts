/** The last file that was dropped on the page, until it is opened. */
class Dropped {
  file = $state.raw<File | undefined>();

  take(): File | undefined {
    const { file } = this;
    this.file = undefined;
    return file;
  }
}

export const dropped = new Dropped();
