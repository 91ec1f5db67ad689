// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Purse {
    address payable private immutable to;

    constructor(address payable to_) payable {
        to = to_;
    }

    function open() external {
        to.transfer(address(this).balance);
    }
}

/// Pays others within one transaction: straight, through a contract that it makes, and in vain.
contract Payer {
    function refuse() external payable {
        revert("keep it");
    }

    function pay(address payable first, address payable second) external payable {
        first.transfer(msg.value / 2);
        Purse purse = new Purse{value: msg.value - msg.value / 2}(second);
        purse.open();
        try this.refuse{value: 0}() {} catch {}
    }
}
