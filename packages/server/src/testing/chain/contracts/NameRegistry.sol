// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Who has which name and who resolves it, in the shape of the ENS registry. Its deployer has the root.
contract NameRegistry {
    mapping(bytes32 => address) public owner;
    mapping(bytes32 => address) public resolver;

    constructor() {
        owner[bytes32(0)] = msg.sender;
    }

    function setSubnodeRecord(bytes32 node, bytes32 label, address to, address by, uint64) external {
        require(owner[node] == msg.sender, "not yours");
        bytes32 child = keccak256(abi.encodePacked(node, label));
        owner[child] = to;
        resolver[child] = by;
    }
}
