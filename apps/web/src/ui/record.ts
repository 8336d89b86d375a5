/// Records films and saves pictures of the view.

import type { Stage } from '../stage/stage';
import { download } from './dom';
import { Event } from './events';

const framesPerSecond = 60;
const bitsPerSecond = 12e6;

export class Recorder {
    readonly changed = new Event();
    private recorder: MediaRecorder | null = null;

    constructor(private readonly stage: Stage) {}

    get recording(): boolean {
        return this.recorder !== null;
    }

    toggle(name: string): void {
        if (this.recorder) this.recorder.stop();
        else this.start(name);
    }

    private start(name: string): void {
        const types = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
        const able = typeof MediaRecorder !== 'undefined';
        const type = able ? types.find((one) => MediaRecorder.isTypeSupported(one)) : undefined;
        if (!type) throw new Error('This browser cannot record WebM.');
        const stream: MediaStream = this.stage.captureStream(framesPerSecond);
        const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: bitsPerSecond });
        const parts: Blob[] = [];
        recorder.addEventListener('dataavailable', (event) => parts.push(event.data));
        recorder.addEventListener('stop', () => {
            stream.getTracks().forEach((track) => track.stop());
            this.recorder = null;
            this.changed.emit();
            download(new Blob(parts, { type: 'video/webm' }), `${name}.webm`);
        });
        recorder.start(1000);
        this.recorder = recorder;
        this.changed.emit();
    }
}

export async function savePicture(stage: Stage, name: string): Promise<void> {
    download(await stage.snapshot(), `${name}.png`);
}
